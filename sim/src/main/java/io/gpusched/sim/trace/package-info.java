/// Readers of public traces and their simulation. All readers return
/// [io.gpusched.sim.trace.TraceJob]; [io.gpusched.sim.trace.TraceRun] submits such jobs to a cell.
/// Rows that cannot be read are counted with their line numbers. No policy belongs here.
@NullMarked
package io.gpusched.sim.trace;

import org.jspecify.annotations.NullMarked;
