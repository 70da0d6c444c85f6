/// The values that enter and leave a cell: commands of users ([io.gpusched.core.event.Command]),
/// reports of agents ([io.gpusched.core.event.Report]), and the events that record what happened
/// ([io.gpusched.core.event.Event]).
///
/// Commands and reports are inputs, which a cell may reject. Events are results, which it never
/// rejects. Read [io.gpusched.core.event.Event] first. No rule of scheduling may live here.
///
///     Command.Submit ──▶ Answer.Accepted(job-7, [JobSubmitted]) ──▶ Batch 42 in the journal
@NullMarked
package io.gpusched.core.event;

import org.jspecify.annotations.NullMarked;
