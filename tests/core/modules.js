// Small modules that between them use every kind of section, immediate and control flow: what the properties are held
// against. Those that this engine does not know are its invalid ones, which is a case too.
import { assemble } from './assemble.js';

/** @type {Record<string, string>} */
const SOURCES = {
  calls: `(module
    (import "env" "log" (func $log (param i32) (result i32)))
    (import "env" "many" (func $many (param i32) (result i32 i64 v128)))
    (func $all (call $many (i32.const 1)) drop drop drop)
    (func $twice (export "twice") (param i32) (result i32)
      (call $log (i32.add (local.get 0) (local.get 0))))
    (func $main (export "main") (param i32) (result i32)
      (if (i32.eqz (local.get 0)) (then (return (i32.const 7))))
      (call $twice (local.get 0))))`,
  control: `(module
    (func $switch (export "switch") (param i32) (result i32) (local i64 f32)
      (block $a (result i32) (block $b (result i32)
        (br_table $a $b 2 (i32.const 4) (local.get 0)))
        (br_if 1 (local.get 0)) drop
        (return (i32.const 1)))
      drop
      (loop $again (result i32)
        (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
        (br_if $again (i32.gt_s (local.get 0) (i32.const 0)))
        (local.get 0)))
    (func $nested (export "nested") (param i32) (result i32 i64)
      (if (result i32) (local.get 0)
        (then (block (result i32) (br 2 (i32.const 1) (i64.const 2))))
        (else unreachable))
      (i64.const 3)))`,
  tables: `(module
    (type $op (func (param i32) (result i32)))
    (table $t (export "table") 3 8 funcref)
    (table $u 2 externref)
    (elem (table $t) (i32.const 0) func $inc $dec)
    (elem $passive func $inc)
    (elem declare func $dec)
    (func $inc (type $op) (i32.add (local.get 0) (i32.const 1)))
    (func $dec (type $op) (i32.sub (local.get 0) (i32.const 1)))
    (func (export "call") (param i32 i32) (result i32)
      (call_indirect $t (type $op) (local.get 0) (local.get 1)))
    (func (export "init") (table.init $t $passive (i32.const 2) (i32.const 0) (i32.const 1)) (elem.drop $passive)
      (table.set $t (i32.const 0) (ref.func $dec))
      (table.set $u (i32.const 0) (ref.null extern))
      (drop (table.grow $t (ref.null func) (i32.const 1)))
      (table.fill $t (i32.const 0) (table.get $t (i32.const 1)) (i32.const 1))
      (table.copy $t $t (i32.const 0) (i32.const 1) (i32.const 1)) (drop (table.size $u))))`,
  memory: `(module
    (memory (export "memory") 1 4)
    (data (i32.const 8) "hello")
    (data $passive "world")
    (global $g (mut i32) (i32.const 5))
    (global (export "limit") i64 (i64.const -1))
    (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
    (func (export "fill")
      (memory.init $passive (i32.const 0) (i32.const 0) (i32.const 5)) (data.drop $passive)
      (memory.fill (i32.const 16) (i32.const 1) (i32.const 4)) (memory.copy (i32.const 0) (i32.const 8) (i32.const 4))
      (i64.store offset=70000 align=1 (i32.const 0) (i64.load32_s offset=4 (i32.const 8)))
      (global.set $g (i32.add (global.get $g) (memory.size)))))`,
  canister: `(module
    (import "ic0" "performance_counter" (func $counter (param i32) (result i64)))
    (import "ic0" "msg_arg_data_size" (func $size (result i32)))
    (import "ic0" "msg_arg_data_copy" (func (param i32 i32 i32)))
    (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
    (import "ic0" "msg_reply" (func $reply))
    (memory (export "memory") 1)
    (table funcref (elem $double))
    (global $heap (mut i32) (i32.const 1024))
    (func $malloc (param i32) (result i32)
      (global.set $heap (i32.add (global.get $heap) (local.get 0)))
      (drop (memory.grow (i32.shr_u (local.get 0) (i32.const 16))))
      (i32.sub (global.get $heap) (local.get 0)))
    (func $begin (export "begin")) (func $end)
    (func $double (param i32) (result i32)
      (i32.store (call $malloc (i32.const 4)) (local.get 0))
      (i32.shl (local.get 0) (i32.const 1)))
    (func (export "canister_update run")
      (call $begin)
      (i32.store (i32.const 16) (call_indirect (param i32) (result i32) (call $size) (i32.const 0)))
      (call $append (i32.const 16) (i32.const 4))
      (call $end)
      (call $reply)))`,
  start: `(module
    (import "env" "memory" (memory 1))
    (import "env" "base" (global $base i32))
    (import "env" "tell" (func $tell (param f64)))
    (export "told" (func $tell))
    (data (global.get $base) "x")
    (start $begin)
    (func $begin (call $tell (f64.const 0.5))))`,
  tail: `(module
    (type $t (func (param i32) (result i32)))
    (table 1 funcref) (elem (i32.const 0) $even)
    (func $even (export "even") (type $t)
      (if (i32.eqz (local.get 0)) (then (return (i32.const 1))))
      (return_call $odd (i32.sub (local.get 0) (i32.const 1))))
    (func $odd (type $t)
      (if (i32.eqz (local.get 0)) (then (return (i32.const 0))))
      (return_call_indirect (type $t) (i32.sub (local.get 0) (i32.const 1)) (i32.const 0))))`,
  legacyExceptions: `(module
    (import "env" "fail" (func $fail))
    (tag $e (export "e") (param i32))
    (func $throws (param i32) (if (local.get 0) (then (throw $e (local.get 0)))) (call $fail))
    (func $catches (export "catches") (param i32) (result i32)
      (try (result i32)
        (do (call $throws (local.get 0)) (i32.const 0))
        (catch $e)
        (catch_all (i32.const -1))))
    (func (export "rethrows") (param i32) (result i32)
      (try (result i32) (do (call $throws (local.get 0)) (i32.const 0)) (catch_all (rethrow 0))))
    (func (export "delegates") (param i32) (result i32)
      (try (do (try (do (call $throws (local.get 0))) (delegate 1))) (catch_all)) (i32.const 3)))`,
  exceptions: `;; assembler: binaryen
    (module
      (import "env" "fail" (func $fail))
      (tag $e (param i32))
      (func $throws (param i32) (if (local.get 0) (then (throw $e (local.get 0)))) (call $fail))
      (func $catches (export "catches") (param i32) (result i32)
        (block $all
          (return (block $caught (result i32)
            (try_table (catch $e $caught) (catch_all $all) (call $throws (local.get 0)))
            (i32.const 0))))
        (i32.const -1))
      (func $direct (export "direct") (param i32) (result i32)
        (try_table (result i32) (catch $e 0) (call $throws (local.get 0)) (i32.const 5)))
      (func $looping (export "looping") (param i32) (result i32)
        (loop $again (result i32)
          (if (i32.eqz (local.get 0)) (then (return (i32.const 9))))
          (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
          (try_table (catch_all $again) (call $throws (local.get 0)))
          (i32.const 4))))`,
  exceptionReferences: `;; assembler: binaryen
    (module
      (import "env" "log" (func $log (param i32)))
      (func (export "drops") (local exnref) (call $log (i32.const 1)) (drop (local.get 0))))`,
  vectors: `(module
    (memory 1)
    (func (export "sum") (param v128) (result i32) (local v128)
      (local.set 1 (i8x16.shuffle 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 31 (local.get 0) (v128.const i32x4 1 2 3 4)))
      (v128.store64_lane offset=8 1 (i32.const 0) (local.get 1))
      (i32x4.extract_lane 3 (i32x4.add (v128.load (i32.const 0)) (local.get 1)))))`,
  threads: `(module
    (memory 1 2 shared)
    (func (export "add") (param i32) (result i32)
      (atomic.fence) (i32.atomic.rmw.add offset=4 (i32.const 0) (local.get 0))))`,
  memory64: `;; assembler: binaryen
    (module
    (memory i64 1)
    (func (export "grow") (param i64) (result i64) (memory.grow (local.get 0)))
    (func (export "load") (param i64) (result i32) (i32.load offset=4294967296 (local.get 0))))`,
  memories: `(module
    (memory 1) (memory $m 1)
    (data $m (i32.const 0) "x")
    (func (export "copy") (result i32)
      (memory.copy $m 0 (i32.const 0) (i32.const 0) (i32.const 1)) (i32.load8_u $m (i32.const 0))))`,
  gc: `;; assembler: binaryen
    (module
      (rec (type $node (sub (struct (field (mut i32)) (field (ref null $node)))))
           (type $leaf (sub final $node (struct (field (mut i32)) (field (ref null $node)) (field i8)))))
      (type $list (array (mut (ref null $node))))
      (func $make (export "make") (param i32) (result (ref $node))
        (struct.new $node (local.get 0) (ref.null $node)))
      (func $sum (export "sum") (param i32) (result i32) (local $l (ref null $list))
        (local.set $l (array.new_fixed $list 2 (call $make (local.get 0)) (call $make (i32.const 1))))
        (i32.add
          (struct.get $node 0 (array.get $list (local.get $l) (i32.const 0)))
          (block $none (result i32)
            (drop (block $b (result (ref $leaf))
              (drop (br_on_cast $b (ref null $node) (ref $leaf) (array.get $list (local.get $l) (i32.const 1))))
              (br $none (i31.get_s (ref.i31 (i32.const 3))))))
            (i32.const 2)))))`,
  references: `;; assembler: binaryen
    (module
      (type $f (func (param i32) (result i32)))
      (import "env" "ref" (func $ref (param i32) (result (ref $f))))
      (elem declare func $id)
      (func $use (export "use") (result (ref $f)) (call $ref (i32.const 1)))
      (func $id (type $f) (local.get 0))
      (func $call (export "call") (param i32) (result i32) (call_ref $f (local.get 0) (ref.func $id)))
      (func $tail (export "tail") (param i32) (result i32) (return_call_ref $f (local.get 0) (ref.func $id))))`,
  hints: `(module
    (func $hinted (export "hinted") (param i32) (result i32)
      (if (i32.eqz (local.get 0)) (then (return (i32.const 1))))
      (@metadata.code.branch_hint "\\01") (if (local.get 0) (then (nop)))
      (i32.const 2)))`,
  dylink: `module
    00 { "dylink.0" 01 { 00 00 00 00 } }
    01 { 01 60 00 00 }
    02 { 01 "env" "memory" 02 00 01 }
    03 { 01 00 }
    07 { 01 "run" 00 00 }
    0a { 01 { 00 01 0b } }
    00 { "name" 01 { 01 00 "run" } }`,
  extended: `(module
    (import "env" "base" (global $base i32))
    (memory 1)
    (global i32 (i32.add (global.get $base) (i32.const 4)))
    (data (i32.mul (global.get $base) (i32.const 2)) "x")
    (func (export "f") (param f32 i64) (result i32 f32) (i32.trunc_sat_f32_s (local.get 0)) (local.get 0)))`,
  empty: 'module',
  namesOnly: 'module 00 { "name" 00 { "m" } } 00 { "other" 01 02 }',
  unnamed: 'module 01 { 02 60 00 00 60 01 7f 01 7e } 03 { 02 00 01 } 0a { 02 { 00 0b } { 01 02 7f 42 00 0b } }',
};

/** @returns {Promise<{name: string, bytes: Uint8Array}[]>} */
export async function smallModules() {
  const modules = [];
  for (const [name, text] of Object.entries(SOURCES)) modules.push({ name, bytes: await assemble(text) });
  return modules;
}
