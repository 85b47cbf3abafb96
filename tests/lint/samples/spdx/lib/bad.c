/* a file without its line: BAD */
