#include "check.h"

#include "code.h"

bool wt_check_module(wt_job *job, wt_slice file) {
  wt_module module;
  wt_code code = {0};
  bool done =
      wt_module_scan(&module, job, file, WT_SCAN_TRACED) && wt_code_rewrite(&code, job, &module, NULL, NULL, false);
  wt_code_free(&code);
  return done;
}
