;; The module of the examples, in readable form: how many primes there are up to `limit`.
(module $primes
  (func $count_primes (export "count_primes") (param $limit i32) (result i32)
    (local $n i32) (local $count i32)
    (local.set $n (i32.const 2))
    (block $done
      (loop $next
        (br_if $done (i32.gt_u (local.get $n) (local.get $limit)))
        (local.set $count (i32.add (local.get $count) (call $is_prime (local.get $n))))
        (local.set $n (i32.add (local.get $n) (i32.const 1)))
        (br $next)))
    (local.get $count))
  (func $is_prime (param $n i32) (result i32)
    (local $divisor i32)
    (local.set $divisor (i32.const 2))
    (loop $next
      (if (i32.gt_u (i32.mul (local.get $divisor) (local.get $divisor)) (local.get $n))
        (then (return (i32.const 1))))
      (if (i32.eqz (i32.rem_u (local.get $n) (local.get $divisor)))
        (then (return (i32.const 0))))
      (local.set $divisor (i32.add (local.get $divisor) (i32.const 1)))
      (br $next))
    (unreachable)))
