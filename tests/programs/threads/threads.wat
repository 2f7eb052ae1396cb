;; One thread's part of a program: made again in every worker, around one shared memory. Word 0 of the memory counts the
;; threads that have done their work.
(module
  (import "env" "memory" (memory 1 1 shared))
  (import "wasi" "thread-spawn" (func $thread-spawn (param i32) (result i32)))

  (func $step (param $i i32) (result i32)
    (i32.add (local.get $i) (i32.const 1)))

  (func $work (export "work") (param $count i32)
    (local $i i32)
    (loop $more
      (local.set $i (call $step (local.get $i)))
      (br_if $more (i32.lt_u (local.get $i) (local.get $count))))
    (drop (i32.atomic.rmw.add (i32.const 0) (i32.const 1)))
    (drop (memory.atomic.notify (i32.const 0) (i32.const -1))))

  ;; Busy, and nothing is recorded.
  (func $spin (export "spin")
    (loop $forever (br $forever)))

  ;; Busy with nothing but recording.
  (func $race (export "race")
    (local $i i32)
    (loop $forever
      (local.set $i (call $step (local.get $i)))
      (br $forever)))

  ;; wasi-threads: a thread's work is its argument; when that is negative it then spins.
  (func $thread (export "wasi_thread_start") (param $id i32) (param $count i32)
    (call $work (if (result i32) (i32.lt_s (local.get $count) (i32.const 0))
      (then (i32.sub (i32.const 0) (local.get $count)))
      (else (local.get $count))))
    (if (i32.lt_s (local.get $count) (i32.const 0)) (then (call $spin))))

  ;; Starts two threads, works itself, and waits for both.
  (func $start (export "_start") (param $sign i32)
    (local $done i32)
    (drop (call $thread-spawn (i32.mul (local.get $sign) (i32.const 10))))
    (drop (call $thread-spawn (i32.mul (local.get $sign) (i32.const 20))))
    (call $work (i32.const 5))
    (loop $wait
      (local.set $done (i32.atomic.load (i32.const 0)))
      (if (i32.lt_u (local.get $done) (i32.const 3))
        (then
          (drop (memory.atomic.wait32 (i32.const 0) (local.get $done) (i64.const -1)))
          (br $wait))))))
