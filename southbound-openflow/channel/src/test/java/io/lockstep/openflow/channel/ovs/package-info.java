/** Real switches for tests: Open vSwitch in user space, hosts in network namespaces. */
@NullMarked
package io.lockstep.openflow.channel.ovs;

import org.jspecify.annotations.NullMarked;
