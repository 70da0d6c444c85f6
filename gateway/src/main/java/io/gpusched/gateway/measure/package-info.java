/// What the gateway learns from the bytes that pass: tokens, times, and whether objectives were
/// met.
///
/// Read [io.gpusched.gateway.measure.AnswerMeter] first. Nothing here changes a byte or a route.
@NullMarked
package io.gpusched.gateway.measure;

import org.jspecify.annotations.NullMarked;
