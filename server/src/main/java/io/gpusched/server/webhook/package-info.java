/// Sends alerts to other systems over HTTP. Read [io.gpusched.server.webhook.Webhooks] first.
/// Nothing here may delay the scheduler or write the address or the secret of a receiver into a
/// log, an error or an answer.
@NullMarked
package io.gpusched.server.webhook;

import org.jspecify.annotations.NullMarked;
