/// Tests of the learner and the score API: the thirty documented behaviours of the published
/// scheduler agent.
@NullMarked
package io.gpusched.core.learn;

import org.jspecify.annotations.NullMarked;
