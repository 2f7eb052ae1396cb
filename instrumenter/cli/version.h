/* The version in package.json; tests/e2e/cli-parity.test.js holds the two together. */
#ifndef WT_CLI_VERSION_H
#define WT_CLI_VERSION_H

#define WT_VERSION "0.1.0"

#endif
