package io.gpusched.agent;

import io.grpc.ManagedChannel;

import java.util.function.Supplier;

/// Address and credentials of the scheduler.
///
/// @param channel closed together with the agent that uses it
/// @param token read again for every session, so that a renewed token needs no restart; empty if
/// none is needed
public record ConnectionSettings(ManagedChannel channel, Supplier<String> token) {}
