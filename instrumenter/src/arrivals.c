/* Functions that may be called from outside past any shim. */
#include "opcodes.h"
#include "plan.h"

static bool arrives(wt_plan *plan, uint32_t func) {
  if (func < plan->module->func_imports || (plan->flags[func] & WT_PLAN_ARRIVES))
    return false;
  plan->flags[func] |= WT_PLAN_ARRIVES;
  return true;
}

/* What an import does that is called by reference, no thunk can tell; so those who call say where they are. */
static bool takes_import(const wt_module *module) {
  for (uint32_t func = 0; func < module->func_imports; func++)
    if (module->address_taken[func])
      return true;
  return false;
}

/* A table that other modules fill gets the exports, too: that is how dynamic linking resolves function pointers. */
bool wt_plan_find_arrivals(wt_plan *plan) {
  const wt_module *module = plan->module;
  uint64_t typed = WT_FEATURE_BIT(WT_FEATURE_TYPED_REFERENCES) | WT_FEATURE_BIT(WT_FEATURE_GC);
  bool more = !plan->calls_references && (module->features & typed);
  plan->calls_references |= more;
  plan->hosts_references = takes_import(module);
  bool handshake = wt_plan_positions(plan) && (module->functions_escape || plan->hosts_references);
  more |= handshake && !plan->handshake;
  plan->handshake = handshake;
  if (!plan->handshake)
    return false;
  for (uint32_t func = module->func_imports; func < module->func_count; func++)
    if (module->address_taken[func])
      more |= arrives(plan, func);
  for (size_t i = 0; module->table_imports && i < module->export_count; i++)
    more |= arrives(plan, module->exports[i].func);
  return more;
}
