/// Queue bindings: how many messages wait in a queue that a pool consumes.
///
/// Read [io.gpusched.gateway.binding.BindingReader] first, then
/// [io.gpusched.gateway.binding.QueueLag] and one of its implementations. Connection strings are
/// secrets: no text of a client library or of a server may leave this package, because both may
/// repeat them. Scaling decisions must not be made here.
@NullMarked
package io.gpusched.gateway.binding;

import org.jspecify.annotations.NullMarked;
