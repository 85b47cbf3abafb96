/* BAD: leans on what was included before */
#ifndef BAD_H
#define BAD_H

struct bad {
	size_t count;
};

#endif
