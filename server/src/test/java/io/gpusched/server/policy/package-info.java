/// Tests of the rules that change the policy.
@NullMarked
package io.gpusched.server.policy;

import org.jspecify.annotations.NullMarked;
