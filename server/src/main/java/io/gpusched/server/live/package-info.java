/// Live events: what happens in the cluster, told to many listeners while it happens.
///
/// Read [io.gpusched.server.live.EventFeed] first. The follower's thread turns the events of a
/// batch into [io.gpusched.server.live.LiveEvent]s and puts them into a bounded
/// [io.gpusched.server.live.EventRing]; every listener has a thread and a position of its own.
/// Nothing here writes JSON or touches a socket, and nothing here waits for a listener.
///
///     follower ──▶ EventTranslator ──▶ EventRing ──▶ Subscription ──▶ SSE, WebSocket
///                  journal ──▶ JournalEvents ─────────────▲
@NullMarked
package io.gpusched.server.live;

import org.jspecify.annotations.NullMarked;
