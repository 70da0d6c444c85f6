/// The gRPC port: the scheduler's own calls beside the agents', with health and reflection.
///
/// Read [io.gpusched.server.grpc.GrpcPort] first. Every call means what its twin in the REST
/// interface means, because both hand the same commands to the same cell and read the same views.
///
///     grpcurl -plaintext localhost:9090 scheduler.SchedulerService/GetClusterStatus
@NullMarked
package io.gpusched.server.grpc;

import org.jspecify.annotations.NullMarked;
