// Programs whose instructions are counted, with calls of their exports. Between them they take every way through a function.

/** @type {Record<string, {source: string, calls: string[]}>} */
export const programs = {
  branches: {
    source: `(module
      (func (export "abs") (param i32) (result i32)
        (if (result i32) (i32.lt_s (local.get 0) (i32.const 0))
          (then (i32.sub (i32.const 0) (local.get 0)))
          (else (nop) (local.get 0))))
      (func (export "one") (param i32) (nop) (if (local.get 0) (then (nop) (nop))) (nop))
      (func (export "early") (param i32) (result i32)
        (block (block (br_if 0 (local.get 0)) (br 1)) (return (i32.const 1)) (drop (i32.const 3)))
        (i32.const 2))
      (func (export "nested") (param i32) (result i32)
        (block $a (result i32)
          (block $b (result i32)
            (block $c (drop (br_if $a (i32.const 1) (i32.eq (local.get 0) (i32.const 1))))
              (drop (br_if $b (i32.const 2) (i32.eq (local.get 0) (i32.const 2))))
              (br_if $c (local.get 0)) (nop))
            (i32.const 5))
          (i32.add (i32.const 1))))
      (func (export "empty"))
      (func (export "dead") (param i32) (result i32)
        (if (local.get 0) (then (return (i32.const 4)) (loop (nop) (br_if 0 (i32.const 1)) (block (nop))) (nop)))
        (block (br 0) (if (i32.const 1) (then (nop)) (else (nop))) (nop))
        (i32.const 2)))`,
    calls: ['abs(-3)', 'abs(3)', 'one(0)', 'one(1)', 'early(0)', 'early(1)', ...[0, 1, 2, 3].map((i) => `nested(${i})`), 'empty()', 'dead(0)', 'dead(1)'],
  },
  tables: {
    source: `(module
      (func (export "switch") (param i32) (result i32) (local i32)
        (block $d (block $c (block $b (block $a (br_table $a $b $a $c $d (local.get 0)))
          (local.set 1 (i32.const 10)) (br $d))
          (local.set 1 (i32.const 20)) (nop))
          (nop) (local.set 1 (i32.const 30)))
        (local.get 1))
      (func (export "again") (param i32) (result i32) (local i32)
        (loop $l (local.set 1 (i32.add (local.get 1) (i32.const 1)))
          (block $out (br_table $out $l $l (i32.sub (local.tee 0 (i32.sub (local.get 0) (i32.const 1))) (i32.const 0)))))
        (local.get 1)))`,
    calls: [...[0, 1, 2, 3, 4, 99].map((i) => `switch(${i})`), 'again(1)', 'again(5)'],
  },
  loops: {
    source: `(module
      (import "env" "log" (func $log (param i32) (result i32)))
      (memory 1)
      (global $g (mut i32) (i32.const 0))
      (func $step (param i32) (result i32) (global.set $g (i32.add (global.get $g) (i32.const 1))) (i32.sub (local.get 0) (i32.const 1)))
      (func (export "down") (param i32) (result i32)
        (loop $l (br_if $l (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))) (local.get 0))
      (func (export "never") (loop) (loop (block (nop))))
      (func (export "while") (param i32) (result i32) (local i32)
        (block $out (loop $l
          (br_if $out (i32.eqz (local.get 0)))
          (local.set 1 (i32.add (local.get 1) (local.get 0)))
          (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
          (br $l)))
        (local.get 1))
      (func (export "inner") (param i32) (result i32) (local i32 i32)
        (loop $o (local.set 1 (i32.const 3))
          (loop $i (local.set 2 (i32.add (local.get 2) (i32.const 1)))
            (if (i32.and (local.get 2) (i32.const 1)) (then (nop)) (else (nop) (nop)))
            (br_if $o (i32.eq (local.get 2) (i32.const 7)))
            (br_if $i (local.tee 1 (i32.sub (local.get 1) (i32.const 1)))))
          (br_if $o (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
        (loop $p (br_if $p (local.tee 1 (i32.shr_u (local.get 2) (i32.const 9)))))
        (local.get 2))
      (func (export "calling") (param i32) (result i32)
        (loop $l (result i32)
          (local.set 0 (call $step (local.get 0)))
          (br_if $l (i32.gt_s (local.get 0) (i32.const 4)))
          (if (i32.eq (local.get 0) (i32.const 4)) (then (drop (call $log (local.get 0)))))
          (block (br_if 0 (local.get 0)) (return (call $log (i32.const 100))))
          (local.set 0 (call $step (local.get 0)))
          (br $l)))
      (func (export "call first") (param i32) (loop (local.set 0 (call $step (local.get 0))) (loop (br_if 1 (local.get 0)))))
      (func (export "copy") (param i32) (result i32)
        (loop $l (i32.store8 (local.get 0) (i32.load8_u offset=1 (local.get 0)))
          (drop (memory.grow (i32.const 0)))
          (memory.fill (i32.const 0) (i32.const 1) (i32.const 8))
          (br_if $l (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
        (i32.load (i32.const 0))))`,
    calls: ['down(1)', 'down(9)', 'never()', 'while(0)', 'while(4)', 'inner(1)', 'inner(4)', 'calling(9)', 'calling(1)', 'call first(3)', 'copy(4)'],
  },
  calls: {
    source: `(module
      (type $op (func (param i32) (result i32)))
      (import "env" "log" (func $log (type $op)))
      (import "env" "back" (func $back (param i32)))
      (table 4 funcref) (elem (i32.const 0) $inc $log $fib)
      (func $inc (type $op) (i32.add (local.get 0) (i32.const 1)))
      (func $fib (export "fib") (type $op)
        (if (i32.lt_s (local.get 0) (i32.const 2)) (then (return (local.get 0))))
        (i32.add (call $fib (i32.sub (local.get 0) (i32.const 1))) (call $fib (i32.sub (local.get 0) (i32.const 2)))))
      (func (export "indirect") (param i32 i32) (result i32) (call_indirect (type $op) (local.get 0) (local.get 1)))
      (func (export "back") (param i32) (nop) (if (local.get 0) (then (call $back (i32.sub (local.get 0) (i32.const 1))) (nop)))))`,
    calls: ['fib(1)', 'fib(9)', 'indirect(4, 0)', 'indirect(4, 1)', 'indirect(4, 2)', 'indirect(4, 3)', 'indirect(4, 9)', 'back(0)', 'back(3)'],
  },
  values: {
    source: `(module
      (func $pair (param i32) (result i32 i64) (local.get 0) (i64.const 3))
      (func (export "values") (param i32) (result i64) (local i64)
        (call $pair (local.get 0))
        (block (param i32 i64) (result i64)
          (local.set 1)
          if nop else nop nop end
          (local.get 1)))
      (func (export "loop values") (param i32) (result i32)
        (local.get 0)
        (loop $l (param i32) (result i32)
          (local.set 0 (i32.sub (i32.const 1)))
          (br_if $l (local.get 0) (local.get 0)))))`,
    calls: ['values(0)', 'values(1)', 'loop values(4)'],
  },
  tails: {
    source: `(module
      (type $t (func (param i32) (result i32)))
      (import "env" "log" (func $log (type $t)))
      (table 2 funcref) (elem (i32.const 0) $even)
      (func $even (export "even") (type $t)
        (if (i32.eqz (local.get 0)) (then (return (i32.const 1))))
        (return_call $odd (i32.sub (local.get 0) (i32.const 1))))
      (func $odd (type $t)
        (if (i32.eqz (local.get 0)) (then (return (i32.const 0))))
        (return_call_indirect (type $t) (i32.sub (local.get 0) (i32.const 1)) (i32.const 0)))
      (func (export "none") (result i32) (return_call_indirect (type $t) (i32.const 1) (i32.const 1)))
      (func (export "host") (result i32) (loop (result i32) (return_call $log (i32.const 5)))))`,
    calls: ['even(0)', 'even(7)', 'none()', 'host()'],
  },
  traps: {
    source: `(module
      (memory 1)
      (func (export "unreachable") (param i32) (if (local.get 0) (then (nop) (unreachable) (nop))) (nop) (nop))
      (func (export "divide") (param i32) (result i32)
        (nop) (drop (i32.const 1)) (i32.div_s (i32.const 9) (local.get 0)) (drop (i32.const 4)) (nop) (i32.add (i32.const 1)))
      (func (export "load") (param i32) (result i32) (local i32)
        (loop $l (local.set 1 (i32.add (local.get 1) (i32.load (local.get 0))))
          (local.set 0 (i32.sub (local.get 0) (i32.const 4)))
          (br_if $l (i32.ge_s (local.get 0) (i32.const -4))))
        (local.get 1))
      (func (export "convert") (param f64) (result i32) (i32.trunc_f64_s (local.get 0)) (nop))
      (func (export "fill") (param i32) (memory.fill (local.get 0) (i32.const 0) (i32.const 65536)) (nop) (loop (nop))))`,
    calls: ['unreachable(0)', 'unreachable(1)', 'divide(2)', 'divide(0)', 'load(4)', 'load(65536)', 'convert(1)', 'convert(1e30)', 'fill(0)', 'fill(1)'],
  },
  legacyExceptions: {
    source: `(module
      (import "env" "fail" (func $fail))
      (tag $e (param i32)) (tag $f)
      (func $throws (param i32) (nop) (if (local.get 0) (then (nop) (throw $e (local.get 0)) (nop))) (call $fail) (nop))
      (func (export "catches") (param i32) (result i32)
        (try (result i32)
          (do (call $throws (local.get 0)) (i32.const 0))
          (catch $f (i32.const 7) (nop))
          (catch $e (nop))
          (catch_all (nop) (nop) (i32.const -1))))
      (func (export "in place") (param i32) (result i32)
        (try (result i32)
          (do (if (local.get 0) (then (throw $f))) (i32.const 3))
          (catch $f (i32.const 4) (nop))))
      (func (export "looping") (param i32) (result i32) (local i32)
        (loop $l
          (try
            (do (local.set 1 (i32.add (local.get 1) (i32.const 1)))
              (if (i32.and (local.get 0) (i32.const 1)) (then (call $throws (local.get 0))))
              (nop))
            (catch $e (drop) (nop) (local.set 1 (i32.add (local.get 1) (i32.const 10))))
            (catch_all (br $l)))
          (br_if $l (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
        (local.get 1))
      (func (export "rethrows") (param i32) (result i32)
        (try (result i32) (do (call $throws (local.get 0)) (i32.const 0)) (catch_all (nop) (rethrow 0))))
      (func (export "delegates") (param i32) (result i32)
        (try (do (loop (try (do (nop) (call $throws (local.get 0)) (nop)) (delegate 1)) (nop))) (catch_all (nop))) (i32.const 3))
      (func (export "to the caller") (param i32) (try (do (call $throws (local.get 0))) (delegate 0))))`,
    calls: [...['catches', 'in place', 'rethrows', 'delegates', 'to the caller'].flatMap((name) => [`${name}(0)`, `${name}(1)`]), 'looping(1)', 'looping(6)'],
  },
  exceptions: {
    source: `;; assembler: binaryen
    (module
      (import "env" "fail" (func $fail))
      (tag $e (param i32))
      (func $throws (param i32) (nop) (if (local.get 0) (then (throw $e (local.get 0)))) (call $fail) (nop))
      (func $catches (export "catches") (param i32) (result i32)
        (block $all
          (return (block $caught (result i32)
            (try_table (catch $e $caught) (catch_all $all) (nop) (call $throws (local.get 0)) (nop))
            (i32.const 0))))
        (i32.const -1))
      (func $direct (export "direct") (param i32) (result i32)
        (try_table (result i32) (catch $e 0) (call $throws (local.get 0)) (i32.const 5)))
      (func $looping (export "looping") (param i32) (result i32)
        (loop $again (result i32)
          (if (i32.eqz (local.get 0)) (then (return (i32.const 9))))
          (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
          (try_table (catch_all $again) (call $throws (local.get 0)))
          (i32.const 4)))
      (func $inside (export "inside") (param i32) (result i32) (local i32)
        (loop $again
          (block $caught
            (try_table (catch_all $caught)
              (nop)
              (if (i32.and (local.get 0) (i32.const 1)) (then (call $throws (local.get 0))))
              (local.set 1 (i32.add (local.get 1) (i32.const 1)))))
          (nop)
          (br_if $again (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
        (local.get 1)))`,
    calls: [...['catches', 'direct'].flatMap((name) => [`${name}(0)`, `${name}(1)`]), 'looping(0)', 'looping(4)', 'inside(1)', 'inside(6)'],
  },
  references: {
    source: `;; assembler: binaryen
    (module
      (type $f (func (param i32) (result i32)))
      (type $s (struct (field i32)))
      (elem declare func $id)
      (func $id (type $f) (nop) (local.get 0))
      (func $call (export "call") (param i32) (result i32) (i32.add (call_ref $f (local.get 0) (ref.func $id)) (i32.const 1)))
      (func $tail (export "tail") (param i32) (result i32) (return_call_ref $f (local.get 0) (ref.func $id)))
      (func $null (export "null") (result i32) (local (ref null $f))
        (drop (call_ref $f (i32.const 1) (local.get 0))) (i32.const 1))
      (func $cast (export "cast") (param i32) (result i32) (local anyref)
        (if (local.get 0) (then (local.set 1 (struct.new $s (i32.const 7)))))
        (block $none
          (return (struct.get $s 0 (block $yes (result (ref $s))
            (drop (br_on_null $none (br_on_cast $yes anyref (ref $s) (local.get 1))))
            (unreachable)))))
        (i32.const -1)))`,
    calls: ['call(3)', 'tail(3)', 'null()', 'cast(0)', 'cast(1)'],
  },
  start: {
    source: `(module
      (import "env" "log" (func $log (param i32) (result i32)))
      (start $begin)
      (func $begin (nop) (drop (call $log (i32.const 1))) (nop))
      (func (export "more") (call $begin)))`,
    calls: ['more()'],
  },
};
