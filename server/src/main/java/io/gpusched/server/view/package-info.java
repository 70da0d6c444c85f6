/// The views that requests read: immutable, published after every durable batch, read by any
/// thread.
///
/// Read [io.gpusched.server.view.View] first. Nothing here changes state or knows HTTP; a view is
/// made by the follower and costs in proportion to what changed.
///
///     View 1042: 1 000 000 jobs (shared pages) · 64 nodes · 3 tenants · counts by tenant and state
@NullMarked
package io.gpusched.server.view;

import org.jspecify.annotations.NullMarked;
