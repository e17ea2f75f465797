import FoundationGaps

// The versions of Apple's framework, as code from the time before `#available` compares them.

/// The version of this framework, for code that compares it instead of using `#available`.
///
/// ```swift
/// if NSCoreDataVersionNumber >= NSCoreDataVersionNumber_iPhoneOS_9_0 {
///     context.shouldDeleteInaccessibleFaults = false
/// }
/// ```
///
/// It is greater than every version that has a name below, so the branch for a new system runs. It says nothing about
/// the version of this package.
public let NSCoreDataVersionNumber = 642.0

/// The version of Core Data in OS X 10.10. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_10 = 526.0
/// The version of Core Data in OS X 10.10.2. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_10_2 = 526.1
/// The version of Core Data in OS X 10.10.3. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_10_3 = 526.2
/// The version of Core Data in OS X 10.11. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_11 = 640.0
/// The version of Core Data in OS X 10.11.3. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_11_3 = 641.3
/// The version of Core Data in Mac OS X 10.4. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_4 = 46.0
/// The version of Core Data in Mac OS X 10.4.3. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_4_3 = 77.0
/// The version of Core Data in Mac OS X 10.5. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_5 = 185.0
/// The version of Core Data in Mac OS X 10.5.3. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_5_3 = 186.0
/// The version of Core Data in Mac OS X 10.6. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_6 = 246.0
/// The version of Core Data in Mac OS X 10.6.2. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_6_2 = 250.0
/// The version of Core Data in Mac OS X 10.6.3. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_6_3 = 251.0
/// The version of Core Data in Mac OS X 10.7. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_7 = 358.4
/// The version of Core Data in Mac OS X 10.7.2. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_7_2 = 358.12
/// The version of Core Data in Mac OS X 10.7.3. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_7_3 = 358.13
/// The version of Core Data in Mac OS X 10.7.4. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_7_4 = 358.14
/// The version of Core Data in OS X 10.8. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_8 = 407.5
/// The version of Core Data in OS X 10.8.2. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_8_2 = 407.7
/// The version of Core Data in OS X 10.9. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_9 = 481.0
/// The version of Core Data in OS X 10.9.2. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_9_2 = 481.1
/// The version of Core Data in OS X 10.9.3. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber10_9_3 = 481.3
/// The version of Core Data in iPhone OS 3.0. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber_iPhoneOS_3_0 = 241.0
/// The version of Core Data in iPhone OS 3.1. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber_iPhoneOS_3_1 = 248.0
/// The version of Core Data in iPhone OS 3.2. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber_iPhoneOS_3_2 = 310.2
/// The version of Core Data in iOS 4.0. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber_iPhoneOS_4_0 = 320.5
/// The version of Core Data in iOS 4.1. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber_iPhoneOS_4_1 = 320.11
/// The version of Core Data in iOS 4.2. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber_iPhoneOS_4_2 = 320.15
/// The version of Core Data in iOS 4.3. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber_iPhoneOS_4_3 = 320.17
/// The version of Core Data in iOS 5.0. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber_iPhoneOS_5_0 = 386.1
/// The version of Core Data in iOS 5.1. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber_iPhoneOS_5_1 = 386.5
/// The version of Core Data in iOS 6.0. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber_iPhoneOS_6_0 = 419.0
/// The version of Core Data in iOS 6.1. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber_iPhoneOS_6_1 = 419.1
/// The version of Core Data in iOS 7.0. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber_iPhoneOS_7_0 = 479.1
/// The version of Core Data in iOS 7.1. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber_iPhoneOS_7_1 = 479.3
/// The version of Core Data in iOS 8.0. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber_iPhoneOS_8_0 = 519.0
/// The version of Core Data in iOS 8.3. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber_iPhoneOS_8_3 = 519.15
/// The version of Core Data in iOS 9.0. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber_iPhoneOS_9_0 = 640.0
/// The version of Core Data in iOS 9.2. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber_iPhoneOS_9_2 = 641.4
/// The version of Core Data in iOS 9.3. ``NSCoreDataVersionNumber`` is greater.
public let NSCoreDataVersionNumber_iPhoneOS_9_3 = 641.6
