/** Tests of whole emulated networks. */
@NullMarked
package io.lockstep.dataplane.network;

import org.jspecify.annotations.NullMarked;
