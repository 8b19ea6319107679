/* A shared library that is no driver: it does not export `assay_driver`. */
int assay_drivers(void);
int assay_drivers(void) { return 0; }
