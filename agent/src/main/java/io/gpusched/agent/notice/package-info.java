/// Learns that the provider will take this machine away.
///
/// Read [NoticeWatch] first. A source of another provider is a class that implements
/// [NoticeSource]. What the scheduler does with a notice is never decided here.
@NullMarked
package io.gpusched.agent.notice;

import org.jspecify.annotations.NullMarked;
