/// `bin/scheduler --demo`: a simulated fleet, tenants, and a workload.
///
/// Read [io.gpusched.demo.Main] first. The server is the real one, and the fleet speaks the real
/// agent protocol over gRPC; only the machines are simulated. Jobs of visitors run on them for a
/// while, write some output, and end.
@NullMarked
package io.gpusched.demo;

import org.jspecify.annotations.NullMarked;
