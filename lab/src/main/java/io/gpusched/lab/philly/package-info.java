/// The experiment of Lucid's simulator (ASPLOS 2023) on one virtual cluster of the Philly trace.
/// Read [io.gpusched.lab.philly.VirtualCluster] first.
@NullMarked
package io.gpusched.lab.philly;

import org.jspecify.annotations.NullMarked;
