/// Benches of the real thing: the launchers as people start them, on a real disk, over sockets.
///
/// Read [io.gpusched.bench.server.RestBench] first. Everything a bench starts or writes belongs to
/// a [io.gpusched.bench.server.BenchFolder], which takes it all away again, also when the bench is
/// interrupted.
@NullMarked
package io.gpusched.bench.server;

import org.jspecify.annotations.NullMarked;
