/// What another policy would have done: asked about the past, and beside the present.
///
/// Read [io.gpusched.server.whatif.WhatIfService] first, then
/// [io.gpusched.server.whatif.ShadowPolicy]. Both only read: the desk from the store, the shadow
/// from durable batches. Each has one thread of low priority, and whatever goes wrong there ends
/// there.
///
///     POST /api/v1/what-if ──▶ desk ──▶ journal, read twice ──▶ GET /api/v1/what-if/{id}
///     follower ──▶ shadow ──▶ GET /api/v1/shadow
@NullMarked
package io.gpusched.server.whatif;

import org.jspecify.annotations.NullMarked;
