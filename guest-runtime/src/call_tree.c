/* The calling-context tree: one node for each path of calls, with its count. The position is a node, so a frame left
   unnoticed, another activation or another thread of control cannot overwrite what is above it.
   Lookup: the child entered last, else a hash of (parent, function) that grows with the tree, so that small programs touch
   little memory. */
#include "state.h"

static uint32_t slot_of(uint32_t parent, uint32_t func, uint32_t mask) {
  uint32_t mixed = (parent * 0x9e3779b1u) ^ (func * 0x85ebca6bu); /* odd multipliers of Knuth and MurmurHash3 */
  return (mixed ^ mixed >> 15) & mask;
}

static void hash_add(wtr_state *state, uint32_t node) {
  uint32_t *slots = WTR_AT(uint32_t, state->hash_base);
  uint32_t slot = slot_of(WTR_NODES[node].parent, WTR_NODES[node].func, state->hash_mask);
  while (slots[slot])
    slot = (slot + 1) & state->hash_mask;
  slots[slot] = node;
}

/* Doubles the hash in place: clears what was in use (the rest is fresh) and enters all nodes anew. */
static void hash_grow(wtr_state *state) {
  uint32_t *slots = WTR_AT(uint32_t, state->hash_base);
  uint32_t used = state->hash_mask;
  state->hash_mask = used * 2 + 1;
  for (uint32_t i = 0; i <= used; i++)
    slots[i] = 0;
  for (uint32_t node = WTR_NODE_FIRST; node < state->tree_count; node++)
    hash_add(state, node);
}

static uint32_t add_node(wtr_state *state, uint32_t parent, uint32_t func) {
  wtr_node *nodes = WTR_NODES;
  uint32_t node = state->tree_count;
  if (node == state->tree_capacity)
    return WTR_NODE_DROPPED;
  if (node * 2 > state->hash_mask)
    hash_grow(state);
  nodes[node].parent = parent;
  nodes[node].func = func;
  nodes[node].depth = nodes[parent].depth + 1;
  hash_add(state, node);
  wtr_publish();
  state->tree_count = node + 1;
  return node;
}

static __attribute__((noinline)) uint32_t wtr_find_child(wtr_state *state, uint32_t parent, uint32_t func) {
  const wtr_node *nodes = WTR_NODES;
  const uint32_t *slots = WTR_AT(const uint32_t, state->hash_base);
  for (uint32_t slot = slot_of(parent, func, state->hash_mask); slots[slot]; slot = (slot + 1) & state->hash_mask) {
    uint32_t node = slots[slot];
    if (nodes[node].parent == parent && nodes[node].func == func)
      return node;
  }
  return add_node(state, parent, func);
}

__attribute__((noinline)) uint32_t wtr_enter_slowly(wtr_state *state, uint32_t caller, uint32_t func) {
  uint32_t node = caller == WTR_NODE_DROPPED ? WTR_NODE_DROPPED : wtr_find_child(state, caller, func);
  state->position = node;
  if (node == WTR_NODE_DROPPED) {
    state->tree_dropped++;
  } else {
    WTR_NODES[caller].last_child = node;
    WTR_NODES[node].count++;
  }
  return caller;
}

/* A function is entered below the position. Returns the caller's position, which `restore` wants back. */
uint32_t WTR_EXPORT(enter_tree)(uint32_t func) {
  wtr_state *state = WTR_STATE;
  wtr_node *nodes = WTR_NODES;
  uint32_t caller = state->position;
  if (wtr_is_nowhere(caller))
    return caller;
  uint32_t node = nodes[caller].last_child;
  if (nodes[node].func != func)
    return wtr_enter_slowly(state, caller, func);
  nodes[node].count++;
  state->position = node;
  return caller;
}
