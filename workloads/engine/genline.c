/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workloads/engine/genline.h"

#include <stdarg.h>
#include <stdio.h>

#include "workloads/engine/words.h"

void pw_gen_line(struct pw_gen *gen, const char *format, ...)
{
	char line[PW_LINE_SIZE];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	pw_strbuf_puts(gen->text, line);
	pw_strbuf_putc(gen->text, '\n');
}

unsigned pw_gen_open(struct pw_gen *gen, const char *name, unsigned options, unsigned disposition)
{
	pw_gen_line(gen, "NTCreateX \"%s\" 0x%x 0x%x %u NT_STATUS_OK", name, options, disposition,
		    gen->handle);
	return gen->handle++;
}

void pw_gen_close(struct pw_gen *gen, unsigned handle)
{
	pw_gen_line(gen, "Close %u NT_STATUS_OK", handle);
}

void pw_gen_read(struct pw_gen *gen, unsigned handle, uint32_t offset, uint32_t size)
{
	pw_gen_line(gen, "ReadX %u %u %u %u NT_STATUS_OK", handle, offset, size, size);
}

void pw_gen_write(struct pw_gen *gen, unsigned handle, uint32_t offset, uint32_t size)
{
	pw_gen_line(gen, "WriteX %u %u %u %u NT_STATUS_OK", handle, offset, size, size);
}

void pw_gen_root(struct pw_gen *gen)
{
	switch (gen->root_ops[gen->root_done++]) {
	case PW_GEN_LIST:
		pw_gen_line(gen,
			    "FIND_FIRST \"" PW_GEN_APPS_FOLDER "\\*\" 260 1366 %d NT_STATUS_OK",
			    PW_GEN_ROOT_ENTRIES);
		break;
	case PW_GEN_SEARCH:
		pw_gen_line(gen, "FIND_FIRST \"" PW_GEN_APPS_FOLDER
				 "\\<.old\" 260 1366 0 NT_STATUS_NO_SUCH_FILE");
		break;
	case PW_GEN_SPACE:
		pw_gen_line(gen, "QUERY_FS_INFORMATION 259 NT_STATUS_OK");
		break;
	default:
		pw_gen_line(gen,
			    "NTCreateX \"" PW_GEN_APPS_FOLDER
			    "\\setup.ini\" 0x40 0x1 %u NT_STATUS_OBJECT_NAME_NOT_FOUND",
			    gen->handle);
		break;
	}
}
