/** Tests of switch profiles and their files. */
@NullMarked
package io.lockstep.dataplane.profile;

import org.jspecify.annotations.NullMarked;
