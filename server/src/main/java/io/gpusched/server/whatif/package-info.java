/// What another policy would decide: a what-if replays the past, and the shadow policy follows the
/// present.
///
/// Read [io.gpusched.server.whatif.WhatIfService] first, then
/// [io.gpusched.server.whatif.ShadowPolicy]. Both only read: the first from the store, the second
/// from durable batches. Each has one thread of low priority, and a failure there does not affect
/// the scheduler.
///
///     POST /api/v1/what-if ──▶ service ──▶ journal, read twice ──▶ GET /api/v1/what-if/{id}
///     follower ──▶ shadow ──▶ GET /api/v1/shadow
@NullMarked
package io.gpusched.server.whatif;

import org.jspecify.annotations.NullMarked;
