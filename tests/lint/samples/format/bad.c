/* SPDX-License-Identifier: GPL-2.0-or-later */
int bad(void){ /* BAD */
  return 1;
}
