/* BAD: no guard */
struct twice {
	int count;
};
