#include "entries.h"

static bool need_always(const wt_plan *plan) { return plan != NULL; }
static bool need_ticker(const wt_plan *plan) { return plan->clock.kind == WT_CLOCK_TICKER; }
static bool need_timed(const wt_plan *plan) { return wt_plan_timed(plan) && !need_ticker(plan); }
static bool need_host(const wt_plan *plan) { return plan->clock.kind == WT_CLOCK_HOST || plan->clock.wall; }
static bool is_part(const wt_plan *plan) { return plan->windows || plan->counts_events || plan->only; }
static bool need_part(const wt_plan *plan) { return need_timed(plan) && is_part(plan); }
static bool need_part_ticker(const wt_plan *plan) { return need_ticker(plan) && is_part(plan); }
static bool need_only(const wt_plan *plan) { return plan->only; }
static bool need_windows(const wt_plan *plan) { return plan->windows; }
static bool need_events(const wt_plan *plan) { return plan->counts_events; }

#define NEED_ALWAYS need_always
#define NEED_CLOCK wt_plan_timed
#define NEED_TICKER need_ticker
#define NEED_TIMED need_timed
#define NEED_HOST need_host
#define NEED_PART need_part
#define NEED_PART_TICKER need_part_ticker
#define NEED_ONLY need_only
#define NEED_WINDOWS need_windows
#define NEED_EVENTS need_events
#define NEED_ROOM wt_plan_makes_room

const wt_entry_row wt_entry_rows[WTR_ENTRY_COUNT] = {
#define WTR_ENTRY(name, params, result, need) {"wtr_" #name, params, result, NEED_##need},
#include "wtr_entries.def"
#undef WTR_ENTRY
};
