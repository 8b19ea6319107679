#include "assay/command.h"

int main(int argc, char** argv) { return assay::Main(argc, argv); }
