package io.lockstep.core.mastership;

/**
 * A hand-over of a domain that its master prepares. It gives no right: the next master only begins
 * to listen to the switches. Void once the domain is in another epoch.
 *
 * @param epoch in which the present master wrote it
 * @param node the next master
 * @param sessionId its session
 * @param listening whether the next master hears the packets of all switches that it reaches
 */
public record HandOverPlan(long epoch, String node, long sessionId, boolean listening) {

  /** The same where the next master listens. */
  HandOverPlan heard() {
    return new HandOverPlan(epoch, node, sessionId, true);
  }
}
