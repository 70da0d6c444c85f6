/// A small API server for tests and benches: real HTTP, objects in memory, and the rules of a real
/// server as far as the operator meets them. The contract suite runs against it and against real
/// servers, so what it does here is what they do.
///
/// Read [io.gpusched.operator.kube.fake.FakeApiServer] first. There are no controllers: nobody
/// starts pods or keeps budgets, as with a real API server that runs alone.
///
/// Nothing of the operator may be used here, except how it names types and servers.
///
///     try (var server = FakeApiServer.start()) { new HttpKubeApi(server.config()) … }
@NullMarked
package io.gpusched.operator.kube.fake;

import org.jspecify.annotations.NullMarked;
