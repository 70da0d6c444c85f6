/// A fleet that only pretends, tenants, and a workload: `bin/scheduler --demo`.
///
/// Read [io.gpusched.demo.Main] first. The server in it is the real one, and the fleet speaks the
/// real agent protocol over gRPC; only the machines behind it do not exist. Jobs of people who try
/// it run on them for a while, write a little, and end.
@NullMarked
package io.gpusched.demo;

import org.jspecify.annotations.NullMarked;
