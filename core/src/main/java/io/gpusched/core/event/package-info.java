/// What is asked ([io.gpusched.core.event.Command]), told ([io.gpusched.core.event.Report]) and
/// recorded ([io.gpusched.core.event.Event]).
///
/// Inputs enter a cell and may be refused; events are results and never are. Read
/// [io.gpusched.core.event.Event] first. No rule of scheduling lives here.
///
///     Command.Submit ──▶ Answer.Accepted(job-7, [JobSubmitted]) ──▶ Batch 42 in the journal
@NullMarked
package io.gpusched.core.event;

import org.jspecify.annotations.NullMarked;
