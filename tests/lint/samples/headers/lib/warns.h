/* BAD: not a prototype */
#ifndef WARNS_H
#define WARNS_H

int warns();

#endif
