/**
 * What the load balancer keeps in the store: virtual IPs, pools, members and connections, and the
 * micro components that change them. Pure: functions over a transaction, with the same result on
 * every replica. Knows no packet and no switch; docs/adr/0030 has the tables.
 */
@NullMarked
package io.lockstep.apps.loadbalancer.state;

import org.jspecify.annotations.NullMarked;
