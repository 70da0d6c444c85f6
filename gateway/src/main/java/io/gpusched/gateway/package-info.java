/// The gateway: an OpenAI-compatible endpoint in front of the replicas of every pool.
///
/// Scaling decisions must not be made here. The gateway learns from the scheduler which replicas
/// exist, passes requests to them, and reports what it measured. It uses the REST API of the
/// scheduler and no other module.
///
///     bin/gateway --scheduler http://scheduler.example:8080 --token-file gateway.token
@NullMarked
package io.gpusched.gateway;

import org.jspecify.annotations.NullMarked;
