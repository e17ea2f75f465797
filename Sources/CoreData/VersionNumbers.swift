import FoundationGaps

// The versions of Apple's framework, as code from the time before `#available` compares them.

/// The version of this framework: that of iOS 9.3, the last one that has a name, and more.
public let NSCoreDataVersionNumber = 642.0

/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_10 = 526.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_10_2 = 526.1
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_10_3 = 526.2
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_11 = 640.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_11_3 = 641.3
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_4 = 46.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_4_3 = 77.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_5 = 185.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_5_3 = 186.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_6 = 246.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_6_2 = 250.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_6_3 = 251.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_7 = 358.4
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_7_2 = 358.12
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_7_3 = 358.13
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_7_4 = 358.14
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_8 = 407.5
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_8_2 = 407.7
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_9 = 481.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_9_2 = 481.1
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_9_3 = 481.3
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_3_0 = 241.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_3_1 = 248.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_3_2 = 310.2
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_4_0 = 320.5
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_4_1 = 320.11
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_4_2 = 320.15
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_4_3 = 320.17
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_5_0 = 386.1
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_5_1 = 386.5
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_6_0 = 419.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_6_1 = 419.1
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_7_0 = 479.1
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_7_1 = 479.3
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_8_0 = 519.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_8_3 = 519.15
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_9_0 = 640.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_9_2 = 641.4
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_9_3 = 641.6
