;; Calls, and little else: what a probe costs shows here as nowhere else. Has a memory as all real modules do, so that the
;; runtime's is the second one when merged.
(module
  (memory 1)
  (func $fib (export "fib") (param $n i32) (result i32)
    (if (result i32) (i32.lt_s (local.get $n) (i32.const 2))
      (then (local.get $n))
      (else
        (i32.add
          (call $fib (i32.sub (local.get $n) (i32.const 1)))
          (call $fib (i32.sub (local.get $n) (i32.const 2))))))))
