/// The gRPC port: the scheduler's API and the agents' service, with health and reflection.
///
/// Read [io.gpusched.server.grpc.GrpcPort] first. Every call does the same as its counterpart in
/// the REST API, because both send the same commands to the same cell and read the same views.
/// Nothing here decides what runs where.
///
///     grpcurl -plaintext localhost:9090 scheduler.SchedulerService/GetClusterStatus
@NullMarked
package io.gpusched.server.grpc;

import org.jspecify.annotations.NullMarked;
