/// The cluster's figures over time, for charts: use, queue, waits and power, of the cluster and of
/// its tenants. It is a picture for people: no decision depends on it, and the scheduler works
/// without it.
///
/// Read [io.gpusched.server.history.HistoryRecorder] first: every ten seconds it writes one step,
/// and joins complete steps to longer ones.
@NullMarked
package io.gpusched.server.history;

import org.jspecify.annotations.NullMarked;
