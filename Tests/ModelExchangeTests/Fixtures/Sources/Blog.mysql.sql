# MySQL dump
/*!40101 SET NAMES utf8 */;
DROP TABLE IF EXISTS `users`;
CREATE TABLE `users` (
  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  `key` varchar(20) NOT NULL,
  `name` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL DEFAULT 'it\'s',
  `role` enum('admin','author') NOT NULL DEFAULT 'author' COMMENT 'what one may do; no more',
  `age` tinyint(3) unsigned DEFAULT NULL,
  `is_on` tinyint(1) NOT NULL DEFAULT '1',
  `changed` datetime DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (`id`),
  UNIQUE KEY `users_key` (`key`),
  KEY `by_name` (`name`(10)),
  FULLTEXT KEY `words` (`name`)
) ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8 COMMENT='People; all of them';
CREATE TABLE `posts` (
  `id` int(10) unsigned NOT NULL,
  `user_id` int(10) unsigned DEFAULT NULL,
  `body` longtext
) ENGINE=InnoDB;
INSERT INTO `users` VALUES (1,'a','it\'s; \\',NULL);
ALTER TABLE `posts`
  ADD PRIMARY KEY (`id`),
  ADD KEY `user` (`user_id`),
  MODIFY `id` int(10) unsigned NOT NULL AUTO_INCREMENT,
  ADD CONSTRAINT `posts_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE SET NULL ON UPDATE CASCADE;
