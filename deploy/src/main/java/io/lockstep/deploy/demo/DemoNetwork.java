package io.lockstep.deploy.demo;

import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import java.net.InetSocketAddress;
import java.util.List;

/** The network that the demo's nodes control. */
interface DemoNetwork extends AutoCloseable {

  /** Its domains with their switches. */
  List<DomainPlan> domains();

  /** How many hosts it has. */
  int hosts();

  /** How many links between switches it has, each direction counted. */
  int directedLinks();

  /** Sends pings between hosts, which are numbered from 0. */
  PingBoard.Pinger pinger();

  /** Starts the switches; each connects to all these controllers and keeps trying. */
  void start(List<InetSocketAddress> controllers);

  @Override
  void close();
}
