/// Readers of public traces, all giving the same small value, [io.gpusched.sim.trace.TraceJob], and
/// [io.gpusched.sim.trace.TraceRun], which lets such jobs come to a cell. Rows that cannot be read
/// are counted with their line numbers, never dropped in silence. No policy lives here.
@NullMarked
package io.gpusched.sim.trace;

import org.jspecify.annotations.NullMarked;
