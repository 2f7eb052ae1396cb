;; fib.wat with a call to the host where the instrumenter puts its probes.
(module
  (import "host" "event" (func $event))
  (memory 1)
  (func $fib (export "fib") (param $n i32) (result i32)
    (call $event)
    (if (result i32) (i32.lt_s (local.get $n) (i32.const 2))
      (then (local.get $n))
      (else
        (i32.add
          (call $fib (i32.sub (local.get $n) (i32.const 1)))
          (call $fib (i32.sub (local.get $n) (i32.const 2))))))
    (call $event)))
