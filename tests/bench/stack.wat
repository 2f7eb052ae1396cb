;; Recursion without an end. The exported global tells how deep it went.
(module
  (import "env" "back" (func $back))
  (memory 1)
  (global $depth (export "depth") (mut i32) (i32.const 0))
  ;; the smallest frame that does something after its call
  (func $small (export "small") (param i32) (result i32)
    (global.set $depth (i32.add (global.get $depth) (i32.const 1)))
    (i32.add (call $small (local.get 0)) (local.get 0)))

  ;; eight values that live across the call
  (func $wide (export "wide") (param i32) (result i64)
    (local i64 i64 i64 i64 i64 i64 i64)
    (global.set $depth (i32.add (global.get $depth) (i32.const 1)))
    (local.set 1 (i64.load offset=0 (local.get 0)))
    (local.set 2 (i64.load offset=8 (local.get 0)))
    (local.set 3 (i64.load offset=16 (local.get 0)))
    (local.set 4 (i64.load offset=24 (local.get 0)))
    (local.set 5 (i64.load offset=32 (local.get 0)))
    (local.set 6 (i64.load offset=40 (local.get 0)))
    (local.set 7 (call $wide (local.get 0)))
    (i64.add (local.get 1) (i64.add (local.get 2) (i64.add (local.get 3)
      (i64.add (local.get 4) (i64.add (local.get 5) (i64.add (local.get 6) (local.get 7))))))))

  ;; through the host and back
  (func $host (export "host") (param i32) (result i32)
    (global.set $depth (i32.add (global.get $depth) (i32.const 1)))
    (call $back)
    (local.get 0)))
