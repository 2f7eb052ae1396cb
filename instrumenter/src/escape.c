/* Where references to functions can leave the module, and how a call through a table is told from others. */
#include "scan.h"
#include "valtype.h"

/* A well-formed LEB128, read before. */
static uint32_t concrete_type(const uint8_t *at) {
  uint32_t value = 0;
  for (unsigned shift = 0; shift < 32; shift += 7, at++) {
    value |= (uint32_t)(*at & 0x7f) << shift;
    if (!(*at & 0x80))
      break;
  }
  return value;
}

bool wt_holds_function(const wt_module *module, const uint8_t *encoded) {
  if (encoded[0] != WT_TYPE_REF_NULL && encoded[0] != WT_TYPE_REF)
    return encoded[0] == WT_TYPE_FUNCREF;
  if (wt_is_abstract_ref(encoded[1]))
    return encoded[1] == WT_TYPE_FUNCREF;
  uint32_t type = concrete_type(encoded + (encoded[1] == WT_TYPE_EXACT ? 2 : 1));
  return type < module->type_count && module->types[type].is_func;
}

static bool any_holds_function(const wt_module *module, wt_types types) {
  const uint8_t *encoded = types.encoded.data;
  for (uint32_t i = 0; i < types.count; i++, encoded += wt_valtype_size(encoded))
    if (wt_holds_function(module, encoded))
      return true;
  return false;
}

bool wt_signature_holds_function(const wt_module *module, uint32_t type) {
  const wt_type *signature = &module->types[type];
  return any_holds_function(module, signature->params) || any_holds_function(module, signature->results);
}

/* Tables from the last bit on share it. */
static uint64_t table_bit(uint32_t table) { return UINT64_C(1) << (table < 63 ? table : 63); }

void wt_scan_add_table(wt_module *module, bool holds_functions) {
  if (holds_functions)
    module->function_tables |= table_bit(module->table_count);
  module->table_count++;
}

bool wt_table_holds_functions(const wt_module *module, uint32_t table) {
  return module->function_tables & table_bit(table);
}

/* FNV-1a (Fowler, Noll, Vo). */
static uint32_t hash_bytes(uint32_t hash, wt_slice bytes) {
  for (size_t i = 0; i < bytes.size; i++)
    hash = (hash ^ bytes.data[i]) * UINT32_C(16777619);
  return hash;
}

uint32_t wt_slot(const wt_module *module, uint32_t table, uint32_t type, uint32_t index) {
  enum { HASH_BITS = 7 };
  const wt_type *signature = &module->types[type];
  uint32_t hash = hash_bytes(UINT32_C(2166136261) + table, signature->params.encoded);
  hash = hash_bytes(hash * UINT32_C(16777619), signature->results.encoded);
  hash = (hash ^ hash >> HASH_BITS ^ hash >> 2 * HASH_BITS) % (1u << HASH_BITS);
  return WT_SLOT_BIT | hash << WT_SLOT_INDEX_BITS | (index & WT_SLOT_INDEX);
}
